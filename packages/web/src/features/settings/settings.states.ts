import type { PageState } from "@rollcall/testkit/states.ts";

const as = "admin";

export const pageStates: readonly PageState[] = [{ name: "settings", as, path: "/panel/settings", ready: "main section h2" }];
