import { browsers } from "@rollcall/testkit/browsers.ts";
import { describePages } from "./pages.ts";

describePages(browsers.find(({ name }) => name === "103")!);
