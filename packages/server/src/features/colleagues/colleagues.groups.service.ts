import type { Demo } from "#core/demo.ts";
import { covers } from "#core/rank.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobgroupsApi, RuleKind } from "#features/jobgroups/jobgroups.api.ts";
import { demoLabelGroup } from "./colleagues.demo.policy.ts";
import { labelHolders, labelNames } from "./colleagues.labels.repo.ts";
import { reachesNobody, reachOfField } from "./colleagues.policy.ts";

/** Rules of job groups by label. */
export const labelRule: RuleKind = {
  kind: "label",
  async holders(tx, job, rules, citizenIds, at) {
    const byLabel = new Map(rules.map((rule) => [rule.id ?? 0, rule]));
    const held = await labelHolders(tx, job, { labelIds: [...byLabel.keys()], citizenIds }, at);
    return held.map(({ id, citizen_id, ends_at }) => ({ citizenId: citizen_id, rule: byLabel.get(id)!, until: ends_at }));
  },
  sees(viewer, citizen) {
    const reach = reachOfField(viewer, "labels");
    if (citizen === null) return !reachesNobody(reach);
    return covers(reach, viewer, { characterId: citizen.id, job: viewer.job, grade: citizen.grade });
  },
  options: async (tx, job) => await labelNames(tx, job),
};

/** A group by label, once the demo city has the label. */
export async function addDemoGroup(tx: Tx, jobgroups: Pick<JobgroupsApi, "add">, { actor }: Demo): Promise<void> {
  const { job, label, ...content } = demoLabelGroup;
  const found = (await labelNames(tx, job)).find(({ name }) => name === label);
  if (found === undefined) return;
  const rules = [{ kind: labelRule.kind, id: found.id, from: null, to: null }];
  await jobgroups.add(tx, actor, job, { ...content, rules, contains: [] });
}
