import type { PageState } from "@rollcall/testkit/states.ts";

export const pageStates: readonly PageState[] = [
  { name: "account", as: "police.chief", path: "/account", ready: "main dl" },
  { name: "account-sessions-german", as: "police.chief", language: "de", path: "/account/sessions", ready: "main li strong" },
  { name: "account-password", as: "police.chief", path: "/account/password", ready: "input[name=new]" },
  {
    name: "account-factor",
    as: "police.chief",
    path: "/account/factor",
    ready: 'nav [aria-current=page]:text-is("Second factor")',
  },
];
