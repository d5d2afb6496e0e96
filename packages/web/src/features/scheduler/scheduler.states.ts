import type { PageState } from "@rollcall/testkit/states.ts";

export const pageStates: readonly PageState[] = [
  { name: "schedule", as: "admin", path: "/panel/schedule", ready: "main article h2" },
];
