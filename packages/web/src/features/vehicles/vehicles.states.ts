import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";

export const pageStates: readonly PageState[] = [
  { name: "vehicles", as: chief, path: "/vehicles", ready: row },
  { name: "vehicles-empty", as: chief, path: "/vehicles?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "vehicle", as: chief, path: "/vehicles/1", ready: "aside section h3" },
];
