// The par sheet of a table on a page of its own, to be read and printed.

import { byId } from "../dom.js";
import { showPar } from "./par.js";

const host = byId("par");
showPar(host, `/api/tables/${encodeURIComponent(host.dataset.table ?? "")}`);
