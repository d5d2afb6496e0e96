export { generationOf } from "./generation.ts";
export { EventListeners } from "./listeners.ts";
export { createOutbox } from "./outbox.ts";
export { createReactions } from "./reactions.ts";
export { retriedReactions } from "./retried.ts";
export { createRelay, type Relay, type RelayOptions } from "./relay.ts";
export { eventStream } from "./wire.ts";
