import { bind, type Binding } from "#core/feature.ts";
import { authorizeOwnCharacter } from "#core/own-character.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import {
  beginDuty,
  dutyChanged,
  type DutyPerson,
  dutyRulesChanged,
  dutyRulesTopic,
  dutyStatistics,
  dutyTopic,
  endDuty,
  getDutyRules,
  getOwnDuty,
  listDuty,
  ownDutyTopic,
  putDutyRules,
} from "./duty.contract.ts";
import type { DutyByHand } from "./duty.hand.service.ts";
import type { DutyHistory } from "./duty.history.service.ts";
import type { DutyRulesService } from "./duty.rules.service.ts";
import type { DutyService } from "./duty.service.ts";
import { type DutyChanges, visibleClass, visibleItems, visibleJobs } from "./duty.visible.policy.ts";

export function dutyRoutes(service: DutyService, byHand: DutyByHand, rules: DutyRulesService, history: DutyHistory): Binding[] {
  return [
    bind(dutyStatistics, async (call, { query }) => await history.statistics(call.viewer(), query)),
    bind(listDuty, async (call, { query }) => await service.list(call.viewer(), query)),
    bind(getOwnDuty, async (call) => await byHand.own(call.viewer())),
    bind(beginDuty, async (call, { body }) => await byHand.begin(call, body.job)),
    bind(endDuty, async (call) => await byHand.end(call)),
    bind(getDutyRules, async (call, { params }) => await rules.get(call, params.job)),
    bind(putDutyRules, async (call, { params, body }) => await rules.put(call, params.job, body)),
  ];
}

export function dutyTopics(): TopicBinding[] {
  return [
    {
      topic: dutyTopic,
      async authorize(viewer) {
        const visible = visibleJobs(viewer);
        return {
          class: visibleClass(visible),
          view(data) {
            const items = visibleItems(visible, data as DutyChanges);
            return items.length === 0 ? null : { items };
          },
        };
      },
      project: ({ type, payload }) => (type === dutyChanged.id ? [{ key: null, data: payload }] : []),
    },
    {
      topic: dutyRulesTopic,
      authorize: async () => ({ class: "all", view: (data) => data }),
      project: ({ type, payload }) => (type === dutyRulesChanged.id ? [{ key: null, data: payload }] : []),
    },
    {
      topic: ownDutyTopic,
      authorize: authorizeOwnCharacter,
      project({ type, payload }) {
        if (type !== dutyChanged.id) return [];
        return (payload as { items: DutyPerson[] }).items.map(({ id }) => ({ key: String(id), data: { character: id } }));
      },
    },
  ];
}
