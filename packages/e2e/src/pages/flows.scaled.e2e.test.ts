import { describe } from "vitest";
import { hasMariadb, hasNats } from "@rollcall/testkit/backing.ts";
import { describeFlows } from "./flows.ts";

describe.skipIf(!hasMariadb || !hasNats)("with MariaDB and NATS", () => describeFlows("scaled", ["current"]));
