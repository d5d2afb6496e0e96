import { hasMariadb, hasNats } from "@rollcall/testkit/backing.ts";
import { describeFlows } from "./flows.ts";

// Where MariaDB and NATS are available, the current browser works on them, and only there.
describeFlows("embedded", hasMariadb && hasNats ? ["103"] : ["103", "current"]);
