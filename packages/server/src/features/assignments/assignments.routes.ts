import type { PayloadOf } from "#core/contract/index.ts";
import { bind, type Binding } from "#core/feature.ts";
import type { Database, TopicBinding } from "#core/ports/index.ts";
import {
  answerOffer,
  assignmentsChanged,
  assignmentsTopic,
  finishWork,
  getOwnWork,
  getWorkRules,
  handBack,
  offerUnits,
  putWorkRules,
  setProgress,
  takeCall,
  withdrawOffer,
} from "./assignments.contract.ts";
import type { Offers } from "./assignments.offers.service.ts";
import type { WorkRulesService } from "./assignments.rules.service.ts";
import type { WorkService } from "./assignments.service.ts";
import type { ShownWork } from "./assignments.shown.service.ts";

export interface WorkUseCases {
  readonly db: Database;
  readonly service: WorkService;
  readonly offers: Offers;
  readonly rules: WorkRulesService;
  readonly shown: ShownWork;
}

export function assignmentsRoutes({ db, service, offers, rules, shown }: WorkUseCases): Binding[] {
  return [
    bind(offerUnits, async (call, { params, body }) => await offers.offer(call, params.id, body)),
    bind(takeCall, async (call, { params }) => await offers.take(call, params.id)),
    bind(answerOffer, async (call, { params, body }) => await service.answer(call, params.id, body)),
    bind(withdrawOffer, async (call, { params, body }) => await service.withdraw(call, params.id, body)),
    bind(setProgress, async (call, { params, body }) => await service.progress(call, params.id, body)),
    bind(finishWork, async (call, { params, body }) => await service.finish(call, params.id, body)),
    bind(handBack, async (call, { params, body }) => await service.handBack(call, params.id, body)),
    bind(getOwnWork, async (call) => await db.read(getOwnWork.id, async (tx) => await shown.own(tx, call.viewer()))),
    bind(getWorkRules, async (call) => await rules.get(call.viewer())),
    bind(putWorkRules, async (call, { body }) => await rules.put(call, body)),
  ];
}

export function assignmentsTopics(): TopicBinding[] {
  return [
    {
      topic: assignmentsTopic,
      authorize: async ({ job }) => ({
        class: job,
        view: (data) => ((data as PayloadOf<typeof assignmentsChanged>).jobs.includes(job) ? { changed: true } : null),
      }),
      project: ({ type, payload }) => (type === assignmentsChanged.id ? [{ key: null, data: payload }] : []),
    },
  ];
}
