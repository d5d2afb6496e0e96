import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";

export const pageStates: readonly PageState[] = [
  { name: "home", as: chief, path: "/", ready: "main h1" },
  { name: "home-without-rights", as: "citizen", path: "/", ready: "main h1" },
];
