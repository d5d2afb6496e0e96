import type { PageState } from "@rollcall/testkit/states.ts";

const as = "admin";

export const pageStates: readonly PageState[] = [
  { name: "status", as, path: "/panel/status", ready: "main section li >> nth=9" },
];
