import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { absencesChanged } from "#features/absences/absences.contract.ts";
import { dutyChanged, type DutyPerson } from "#features/duty/duty.contract.ts";
import type { Activities } from "./colleagues.activity.service.ts";
import {
  changeLabels,
  colleaguesChanged,
  colleaguesTopic,
  createLabel,
  getColleague,
  getJobStatistics,
  listActivity,
  listColleagues,
  listExpiring,
  listLabels,
  listMoves,
  listNames,
  namesTopic,
  orderLabels,
  putColleague,
  putLabel,
  removeLabel,
  requestMove,
  restoreLabel,
  statisticsTopic,
} from "./colleagues.contract.ts";
import { type ColleaguesChange, jobsChanged } from "./colleagues.policy.ts";
import type { GivenLabels } from "./colleagues.given.service.ts";
import type { LabelsService } from "./colleagues.labels.service.ts";
import type { JobMoves } from "./colleagues.moves.service.ts";
import type { ColleaguesService } from "./colleagues.service.ts";
import type { People } from "./colleagues.people.service.ts";
import type { JobStatistics } from "./colleagues.statistics.service.ts";

export interface ColleaguesUseCases {
  readonly service: ColleaguesService;
  readonly labels: LabelsService;
  readonly given: GivenLabels;
  readonly activities: Activities;
  readonly statistics: JobStatistics;
  readonly moves: JobMoves;
  readonly people: People;
}

export function colleaguesRoutes({
  service,
  labels,
  given,
  activities,
  statistics,
  moves,
  people,
}: ColleaguesUseCases): Binding[] {
  return [
    bind(listColleagues, async (call, { query }) => await service.list(call.viewer(), query)),
    bind(getColleague, async (call, { params }) => await service.get(call.viewer(), params.id)),
    bind(putColleague, async (call, { params, body }) => await service.put(call, params.id, body)),
    bind(listLabels, async (call) => await labels.list(call.viewer())),
    bind(createLabel, async (call, { body }) => await labels.create(call, body)),
    bind(putLabel, async (call, { params, body }) => await labels.put(call, params.id, body)),
    bind(removeLabel, async (call, { params }) => await labels.remove(call, params.id)),
    bind(restoreLabel, async (call, { params }) => await labels.restore(call, params.id)),
    bind(orderLabels, async (call, { body }) => await labels.order(call, body.ids)),
    bind(changeLabels, async (call, { body }) => await given.change(call, body)),
    bind(listExpiring, async (call) => await given.expiring(call.viewer())),
    bind(listMoves, async (call, { query }) => await moves.list(call.viewer(), query.citizenId)),
    bind(listNames, async (call) => await people.names(call.viewer())),
    bind(requestMove, async (call, { body }) => await moves.request(call, body)),
    bind(getJobStatistics, async (call) => await statistics.get(call.viewer())),
    bind(listActivity, async (call, { query }) => await activities.list(call.viewer(), query)),
  ];
}

/** The jobs of those who went on or off duty. */
function dutyJobs({ items, left = [] }: { readonly items: readonly DutyPerson[]; readonly left?: readonly DutyPerson[] }) {
  return new Set([...items, ...left].map(({ job }) => job.name));
}

const ofOwnJob: TopicBinding["authorize"] = async ({ job: own }) => ({
  class: own,
  view: (data) => ((data as { job: string }).job === own ? data : null),
});

const messages = (jobs: Iterable<string>) => [...jobs].map((job) => ({ key: null, data: { job } }));

export function colleaguesTopics(): TopicBinding[] {
  return [
    {
      topic: colleaguesTopic,
      authorize: ofOwnJob,
      project({ type, payload }) {
        if (type === dutyChanged.id) return messages(dutyJobs(payload as { items: DutyPerson[] }));
        const isOurs = type === colleaguesChanged.id || type === absencesChanged.id;
        return messages(isOurs ? (payload as { jobs: string[] }).jobs : []);
      },
    },
    {
      topic: namesTopic,
      authorize: ofOwnJob,
      project({ type, payload }) {
        return messages(type === colleaguesChanged.id ? jobsChanged(payload as ColleaguesChange, "names") : []);
      },
    },
    {
      topic: statisticsTopic,
      authorize: ofOwnJob,
      project({ type, payload }) {
        if (type === absencesChanged.id) return messages((payload as { jobs: string[] }).jobs);
        return messages(type === colleaguesChanged.id ? jobsChanged(payload as ColleaguesChange, "staff") : []);
      },
    },
  ];
}
