export { freePort } from "../../server/src/testkit/ports.ts";
