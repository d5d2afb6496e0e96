import { bind, type Binding, type EventListener, listenTo } from "#core/feature.ts";
import { gamerequestsSent, pollRequests, putReceipts } from "./gamerequests.contract.ts";
import type { PollService } from "./gamerequests.poll.service.ts";
import type { GameRequestsService } from "./gamerequests.service.ts";

export function gamerequestsRoutes(service: GameRequestsService, polls: PollService): Binding[] {
  return [
    bind(pollRequests, async (call, { query }) => await polls.poll(call, query)),
    bind(putReceipts, async (call, { body }) => await service.receive(call, body)),
  ];
}

/** A poll that waits in any process ends as soon as a request for it is committed. */
export function gamerequestsListeners(polls: PollService): EventListener[] {
  return [
    listenTo({
      event: gamerequestsSent,
      onEvent: ({ payload }) => polls.wake(payload.source),
      onMissed: () => polls.wake(null),
    }),
  ];
}
