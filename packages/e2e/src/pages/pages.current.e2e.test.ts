import { browsers } from "#kit/browsers.ts";
import { describePages } from "./pages.ts";

describePages(browsers.find(({ name }) => name === "current")!);
