import { bind, type Binding } from "#core/feature.ts";
import { authorizeOwnCharacter } from "#core/own-character.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { getOwnPlace, ownPlaceTopic, positionsTopic, syncPositions } from "./positions.contract.ts";
import { aspectOf, type Reported } from "./positions.policy.ts";
import type { PositionsService } from "./positions.service.ts";

export function positionsRoutes(service: PositionsService): Binding[] {
  return [
    bind(getOwnPlace, async (call) => await service.own(call.viewer())),
    bind(syncPositions, async (call, { body }) => await service.sync(call, body)),
  ];
}

export function positionsTopics(service: PositionsService): TopicBinding[] {
  return [
    {
      topic: positionsTopic,
      authorize: async (viewer) => service.grant(viewer),
      ownValues: {
        characterOf: (key) => Number(key),
        aspectOf: (data) => aspectOf(data as Reported | null),
      },
    },
    { topic: ownPlaceTopic, authorize: authorizeOwnCharacter },
  ];
}
