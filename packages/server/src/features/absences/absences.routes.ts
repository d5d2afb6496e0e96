import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import {
  absencesChanged,
  absencesTopic,
  cancelAbsence,
  createKind,
  decideAbsence,
  enterAbsence,
  getCapacity,
  getStatistics,
  listAbsent,
  listKinds,
  listMonth,
  listOf,
  listOwn,
  listWaiting,
  orderKinds,
  putKind,
  putRules,
  removeKind,
  requestAbsence,
  restoreKind,
} from "./absences.contract.ts";
import type { AbsenceDecisions } from "./absences.decide.service.ts";
import type { AbsenceEndings } from "./absences.end.service.ts";
import type { KindsService } from "./absences.kinds.service.ts";
import type { AbsenceLists } from "./absences.list.service.ts";
import type { AbsencesService } from "./absences.service.ts";

export interface AbsencesUseCases {
  readonly service: AbsencesService;
  readonly decisions: AbsenceDecisions;
  readonly endings: AbsenceEndings;
  readonly lists: AbsenceLists;
  readonly kinds: KindsService;
}

export function absencesRoutes({ service, decisions, endings, lists, kinds }: AbsencesUseCases): Binding[] {
  return [
    bind(listOwn, async (call, { query }) => await lists.own(call.viewer(), query)),
    bind(listWaiting, async (call) => await lists.waiting(call.viewer())),
    bind(listMonth, async (call, { query }) => await lists.month(call.viewer(), query)),
    bind(getCapacity, async (call, { query }) => await lists.capacity(call.viewer(), query)),
    bind(listAbsent, async (call) => await lists.absent(call.viewer())),
    bind(requestAbsence, async (call, { body }) => await service.request(call, body)),
    bind(enterAbsence, async (call, { body }) => await service.enter(call, body)),
    bind(listOf, async (call, { query }) => await lists.of(call.viewer(), query)),
    bind(getStatistics, async (call, { query }) => await lists.statistics(call.viewer(), query)),
    bind(cancelAbsence, async (call, { params, body }) => await endings.cancel(call, params.id, body.version)),
    bind(decideAbsence, async (call, { params, body }) => await decisions.decide(call, params.id, body)),
    bind(listKinds, async (call) => await kinds.list(call.viewer())),
    bind(createKind, async (call, { body }) => await kinds.create(call, body)),
    bind(putKind, async (call, { params, body }) => await kinds.put(call, params.id, body)),
    bind(removeKind, async (call, { params }) => await kinds.remove(call, params.id)),
    bind(restoreKind, async (call, { params }) => await kinds.restore(call, params.id)),
    bind(orderKinds, async (call, { body }) => await kinds.order(call, body.ids)),
    bind(putRules, async (call, { body }) => await kinds.putRules(call, body)),
  ];
}

export function absencesTopics(): TopicBinding[] {
  return [
    {
      topic: absencesTopic,
      authorize: async ({ job: own }) => ({
        class: own,
        view: (data) => ((data as { job: string }).job === own ? data : null),
      }),
      project({ type, payload }) {
        if (type !== absencesChanged.id) return [];
        return (payload as { jobs: string[] }).jobs.map((job) => ({ key: null, data: { job } }));
      },
    },
  ];
}
