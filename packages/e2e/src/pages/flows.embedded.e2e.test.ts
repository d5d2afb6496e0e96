import { describeFlows } from "./flows.ts";

describeFlows("embedded");
