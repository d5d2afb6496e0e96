export { createProxy } from "../../../server/src/testkit/proxy.ts";
