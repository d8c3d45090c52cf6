// Modules of node that the tests import. Their types are not checked, so that those of a browser stay the only ones.
declare module "node:*";
