// The par sheet of a table on a page of its own, to be read and printed.

import { showPar } from "./par.js";

const host = document.getElementById("par");
showPar(host, `/api/tables/${encodeURIComponent(host.dataset.table)}`);
