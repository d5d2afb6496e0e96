import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import type { ArrangeService } from "./jobgroups.arrange.service.ts";
import {
  changeLeaders,
  changeMembers,
  createGroup,
  endExclusion,
  exclude,
  explainMember,
  getGroup,
  jobgroupsChanged,
  jobgroupsTopic,
  listExclusions,
  listGroups,
  listMembers,
  listOfPerson,
  listRuleKinds,
  orderGroups,
  putGroup,
  removeGroup,
  restoreGroup,
} from "./jobgroups.contract.ts";
import type { GroupExclusions } from "./jobgroups.exclusions.service.ts";
import type { GroupMembers } from "./jobgroups.members.service.ts";
import type { GroupPeople } from "./jobgroups.people.service.ts";
import type { GroupsService } from "./jobgroups.service.ts";
import type { ShownGroups } from "./jobgroups.shown.service.ts";

export interface JobgroupsUseCases {
  readonly groups: GroupsService;
  readonly arrangement: ArrangeService;
  readonly shown: ShownGroups;
  readonly members: GroupMembers;
  readonly exclusions: GroupExclusions;
  readonly people: GroupPeople;
}

export function jobgroupsRoutes(useCases: JobgroupsUseCases): Binding[] {
  const { groups, arrangement, shown, members, exclusions, people } = useCases;
  return [
    bind(listGroups, async (call) => await shown.list(call.viewer())),
    bind(getGroup, async (call, { params }) => await shown.get(call.viewer(), params.id)),
    bind(createGroup, async (call, { body }) => await groups.create(call, body)),
    bind(putGroup, async (call, { params, body }) => await groups.put(call, params.id, body)),
    bind(removeGroup, async (call, { params }) => await arrangement.remove(call, params.id)),
    bind(restoreGroup, async (call, { params }) => await arrangement.restore(call, params.id)),
    bind(orderGroups, async (call, { body }) => await arrangement.order(call, body.ids)),
    bind(listRuleKinds, async (call) => await shown.ruleKinds(call.viewer())),
    bind(listMembers, async (call, { params, query }) => await people.members(call.viewer(), params.id, query)),
    bind(changeMembers, async (call, { params, body }) => await members.changeMembers(call, params.id, body)),
    bind(changeLeaders, async (call, { params, body }) => await members.changeLeaders(call, params.id, body)),
    bind(listExclusions, async (call, { params }) => await exclusions.list(call.viewer(), params.id)),
    bind(exclude, async (call, { params, body }) => await exclusions.exclude(call, params.id, params.citizenId, body)),
    bind(endExclusion, async (call, { params }) => await exclusions.end(call, params.id, params.citizenId)),
    bind(explainMember, async (call, { params }) => await people.explain(call.viewer(), params.id, params.citizenId)),
    bind(listOfPerson, async (call, { query }) => await shown.ofPerson(call.viewer(), query.citizenId)),
  ];
}

export function jobgroupsTopics(): TopicBinding[] {
  return [
    {
      topic: jobgroupsTopic,
      authorize: async ({ job: own }) => ({
        class: own,
        view: (data) => ((data as { job: string }).job === own ? data : null),
      }),
      project({ type, payload }) {
        if (type !== jobgroupsChanged.id) return [];
        return (payload as { jobs: string[] }).jobs.map((job) => ({ key: null, data: { job } }));
      },
    },
  ];
}
