import type { PageState } from "@rollcall/testkit/states.ts";

const as = "admin";

export const pageStates: readonly PageState[] = [
  { name: "settings", as, path: "/panel/settings", ready: "main section h2" },
  { name: "settings-german", as, language: "de", widths: [390], path: "/panel/settings", ready: "main section h2" },
];
