export { generationOf } from "./generation.ts";
export { createListeners } from "./listeners.ts";
export { createOutbox } from "./outbox.ts";
export { createReactions } from "./reactions.ts";
export { createRelay, type Relay, type RelayParts } from "./relay.ts";
export { eventStream } from "./wire.ts";
