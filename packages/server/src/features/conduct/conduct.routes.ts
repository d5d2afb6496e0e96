import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import type { AnswersService } from "./conduct.answers.service.ts";
import {
  acknowledgeEntry,
  conductChanged,
  conductPermissions,
  conductTopic,
  createEntry,
  createKind,
  getEntry,
  getPoints,
  listEntries,
  listKinds,
  listOwnEntries,
  orderKinds,
  putEntry,
  putKind,
  putRules,
  releaseEntry,
  removeEntry,
  removeKind,
  replyToEntry,
  restoreEntry,
  restoreKind,
  withdrawEntry,
} from "./conduct.contract.ts";
import type { KindsService } from "./conduct.kinds.service.ts";
import type { ConductLists } from "./conduct.list.service.ts";
import { registerOf } from "./conduct.policy.ts";
import type { ReleaseService } from "./conduct.release.service.ts";
import type { ConductService } from "./conduct.service.ts";

export interface ConductUseCases {
  readonly service: ConductService;
  readonly releases: ReleaseService;
  readonly answers: AnswersService;
  readonly lists: ConductLists;
  readonly kinds: KindsService;
}

export function conductRoutes({ service, releases, answers, lists, kinds }: ConductUseCases): Binding[] {
  return [
    bind(listEntries, async (call, { query }) => await lists.list(call.viewer(), query)),
    bind(listOwnEntries, async (call, { query }) => await lists.own(call.viewer(), query)),
    bind(getPoints, async (call, { params }) => await lists.points(call.viewer(), params.id)),
    bind(getEntry, async (call, { params }) => await lists.get(call.viewer(), params.id)),
    bind(createEntry, async (call, { body }) => await service.create(call, body)),
    bind(putEntry, async (call, { params, body }) => await service.put(call, params.id, body)),
    bind(removeEntry, async (call, { params }) => await service.remove(call, params.id)),
    bind(restoreEntry, async (call, { params }) => await service.restore(call, params.id)),
    bind(releaseEntry, async (call, { params, body }) => await releases.release(call, params.id, body.version)),
    bind(withdrawEntry, async (call, { params, body }) => await releases.withdraw(call, params.id, body)),
    bind(acknowledgeEntry, async (call, { params, body }) => await answers.acknowledge(call, params.id, body.version)),
    bind(replyToEntry, async (call, { params, body }) => await answers.reply(call, params.id, body)),
    bind(listKinds, async (call) => await kinds.list(call.viewer())),
    bind(createKind, async (call, { body }) => await kinds.create(call, body)),
    bind(putKind, async (call, { params, body }) => await kinds.put(call, params.id, body)),
    bind(removeKind, async (call, { params }) => await kinds.remove(call, params.id)),
    bind(restoreKind, async (call, { params }) => await kinds.restore(call, params.id)),
    bind(orderKinds, async (call, { body }) => await kinds.order(call, body.ids)),
    bind(putRules, async (call, { body }) => await kinds.putRules(call, body)),
  ];
}

interface Changed {
  readonly job: string;
  readonly citizenId: number | null;
}

export function conductTopics(): TopicBinding[] {
  return [
    {
      topic: conductTopic,
      async authorize(viewer) {
        const { characterId, job: own } = viewer;
        const reads = registerOf(viewer) !== "none" || viewer.rights.has(conductPermissions.kinds.id);
        return {
          class: JSON.stringify([own, reads, characterId]),
          view(data) {
            const { job, citizenId } = data as Changed;
            return (reads && job === own) || citizenId === characterId ? { job } : null;
          },
        };
      },
      project({ type, payload }) {
        return type === conductChanged.id ? [{ key: null, data: payload }] : [];
      },
    },
  ];
}
