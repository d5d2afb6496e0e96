export { silent } from "../../../server/src/infra/broker/broker.testkit.ts";
export { Namespace } from "../../../server/src/infra/broker/namespace.ts";
export { NatsBroker } from "../../../server/src/infra/broker/nats.ts";
export { systemClock } from "../../../server/src/infra/clock.ts";
export { eventStream } from "../../../server/src/infra/outbox/wire.ts";
