import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { dutyChanged, type DutyPerson } from "#features/duty/duty.contract.ts";
import {
  createStatus,
  createTemporary,
  createUnit,
  getUnitAccess,
  joinUnit,
  leaveUnit,
  listActivity,
  listStatuses,
  listUnits,
  moveMember,
  orderStatuses,
  orderUnits,
  putRules,
  putStatus,
  putUnit,
  putUnitAccess,
  removeStatus,
  removeUnit,
  restoreStatus,
  restoreUnit,
  setStatus,
  unitsChanged,
  unitsTopic,
} from "./units.contract.ts";
import type { UnitAccess } from "./units.access.service.ts";
import type { UnitCrew } from "./units.crew.service.ts";
import { classOf, visibleJobs } from "./units.policy.ts";
import type { UnitsService } from "./units.service.ts";
import type { ShownUnits } from "./units.shown.service.ts";
import type { StatusesService } from "./units.statuses.service.ts";

export interface UnitsUseCases {
  readonly service: UnitsService;
  readonly crew: UnitCrew;
  readonly shown: ShownUnits;
  readonly statuses: StatusesService;
  readonly access: UnitAccess;
}

export function unitsRoutes({ service, crew, shown, statuses, access }: UnitsUseCases): Binding[] {
  return [
    bind(listUnits, async (call) => await shown.list(call.viewer())),
    bind(listActivity, async (call, { params, query }) => await shown.activity(call.viewer(), params.id, query)),
    bind(createUnit, async (call, { body }) => await service.create(call, body)),
    bind(createTemporary, async (call, { body }) => await service.createTemporary(call, body)),
    bind(putUnit, async (call, { params, body }) => await service.put(call, params.id, body)),
    bind(removeUnit, async (call, { params }) => await service.remove(call, params.id)),
    bind(restoreUnit, async (call, { params }) => await service.restore(call, params.id)),
    bind(orderUnits, async (call, { body }) => await service.order(call, body.ids)),
    bind(getUnitAccess, async (call, { params }) => await access.get(call.viewer(), params.id)),
    bind(putUnitAccess, async (call, { params, body }) => await access.put(call, params.id, body)),
    bind(joinUnit, async (call, { params, body }) => await crew.join(call, params.id, body.role)),
    bind(leaveUnit, async (call) => await crew.leave(call)),
    bind(moveMember, async (call, { params, body }) => await crew.move(call, params.id, body)),
    bind(setStatus, async (call, { params, body }) => await crew.setStatus(call, params.id, body)),
    bind(listStatuses, async (call) => await statuses.list(call.viewer())),
    bind(createStatus, async (call, { body }) => await statuses.create(call, body)),
    bind(putStatus, async (call, { params, body }) => await statuses.put(call, params.id, body)),
    bind(removeStatus, async (call, { params }) => await statuses.remove(call, params.id)),
    bind(restoreStatus, async (call, { params }) => await statuses.restore(call, params.id)),
    bind(orderStatuses, async (call, { body }) => await statuses.order(call, body.ids)),
    bind(putRules, async (call, { body }) => await statuses.putRules(call, body)),
  ];
}

interface Message {
  readonly jobs: readonly string[];
}

/** The jobs whose units an event is about: those of people whose duty changed are shown with it. */
function jobsOf(type: string, payload: unknown): readonly string[] {
  if (type === unitsChanged.id) return (payload as Message).jobs;
  if (type !== dutyChanged.id) return [];
  const { items, left = [] } = payload as { items: readonly DutyPerson[]; left?: readonly DutyPerson[] };
  return [...new Set([...items, ...left].map(({ job }) => job.name))];
}

export function unitsTopics(): TopicBinding[] {
  return [
    {
      topic: unitsTopic,
      async authorize(viewer) {
        const visible = visibleJobs(viewer);
        return {
          class: classOf(visible),
          view(data) {
            const jobs = (data as Message).jobs.filter((job) => visible?.has(job) !== false);
            return jobs.length === 0 ? null : { jobs };
          },
        };
      },
      project({ type, payload }) {
        const jobs = jobsOf(type, payload);
        return jobs.length === 0 ? [] : [{ key: null, data: { jobs } }];
      },
    },
  ];
}
