import type { Viewer } from "#core/actor.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { dutyChanged } from "#features/duty/duty.contract.ts";
import {
  acknowledgePanic,
  cancelPanic,
  endPanic,
  getPanic,
  getPanicRules,
  getPanicStatistics,
  listPanics,
  listPresentPanics,
  panicChanged,
  panicPlacesTopic,
  panicTopic,
  pressPanic,
  putPanicRules,
  syncCancelPanic,
  syncPanic,
} from "./panic.contract.ts";
import type { PanicLists } from "./panic.list.service.ts";
import type { PanicPlaces } from "./panic.places.service.ts";
import type { PanicRulesService } from "./panic.rules.service.ts";
import type { PanicService } from "./panic.service.ts";

export interface PanicUseCases {
  readonly service: PanicService;
  readonly lists: PanicLists;
  readonly rules: PanicRulesService;
}

export function panicRoutes({ service, lists, rules }: PanicUseCases): Binding[] {
  return [
    bind(listPresentPanics, async (call) => await lists.present(call.viewer())),
    bind(pressPanic, async (call) => await service.press(call)),
    bind(cancelPanic, async (call, { params }) => await service.cancel(call, params.id)),
    bind(acknowledgePanic, async (call, { params }) => await service.acknowledge(call, params.id)),
    bind(endPanic, async (call, { params, body }) => await service.end(call, params.id, body)),
    bind(listPanics, async (call, { query }) => await lists.list(call.viewer(), query)),
    bind(getPanic, async (call, { params }) => await lists.get(call.viewer(), params.id)),
    bind(getPanicStatistics, async (call) => await lists.statistics(call.viewer())),
    bind(getPanicRules, async (call) => await rules.get(call.viewer())),
    bind(putPanicRules, async (call, { body }) => await rules.put(call, body)),
    bind(syncPanic, async (call, { body }) => await service.sync(call, body)),
    bind(syncCancelPanic, async (call, { body }) => await service.syncCancel(call, body)),
  ];
}

/** Whom a change concerns: jobs that are alarmed, and people. */
interface Concerned {
  readonly jobs: readonly string[];
  readonly people: readonly number[];
}

const concerns = ({ job, characterId }: Viewer, { jobs, people }: Concerned): boolean =>
  jobs.includes(job) || people.includes(characterId);

function projected(type: string, payload: unknown): Concerned | null {
  if (type === panicChanged.id) return payload as PayloadOf<typeof panicChanged>;
  // Duty decides who can press and who is alarmed.
  if (type === dutyChanged.id) {
    const { items } = payload as PayloadOf<typeof dutyChanged>;
    return { jobs: [], people: items.map(({ id }) => id) };
  }
  return null;
}

export function panicTopics(places: PanicPlaces): TopicBinding[] {
  return [
    {
      topic: panicTopic,
      authorize: async (viewer) => ({
        class: `${viewer.characterId} ${viewer.job}`,
        view: (data) => (concerns(viewer, data as Concerned) ? { changed: true } : null),
      }),
      project({ type, payload }) {
        const data = projected(type, payload);
        return data === null ? [] : [{ key: null, data }];
      },
    },
    {
      topic: panicPlacesTopic,
      authorize: async (viewer) => await places.grant(viewer),
      rechecks: [
        {
          event: dutyChanged,
          charactersOf: ({ payload }) => (payload as PayloadOf<typeof dutyChanged>).items.map(({ id }) => id),
        },
      ],
    },
  ];
}
