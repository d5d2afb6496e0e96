import type { PageState } from "@rollcall/testkit/states.ts";

export const pageStates: readonly PageState[] = [
  { name: "setup-not-needed", path: "/setup#an-old-token", ready: "main h2" },
  { name: "home-setup-hint", as: "admin", path: "/", ready: "main p a[href='/setup']" },
];
