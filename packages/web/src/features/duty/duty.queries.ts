import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  beginDuty,
  type DutyPerson,
  dutyTopic,
  endDuty,
  getOwnDuty,
  listDuty,
  type OwnDuty,
  ownDutyTopic,
} from "@rollcall/server/contract/duty";
import { useActiveIdentity } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useLiveAnswer, useLiveList } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { inOrder } from "./people.ts";

/** Everybody on duty whom the viewer may see, with live changes; those of the own job first. */
export function useOnDuty() {
  const { character } = useActiveIdentity();
  return useLiveList<DutyPerson>({
    operation: listDuty,
    topic: dutyTopic,
    filters: {},
    whole: true,
    compare: inOrder(character.job.name),
  });
}

/** The viewer's own duty, with live changes. */
export function useOwnDuty() {
  const { character } = useActiveIdentity();
  return useLiveAnswer(getOwnDuty, {}, { topic: ownDutyTopic, key: character.id });
}

/** Goes on duty in a job, or off duty where there is none. What was refused is read again: it has changed. */
export function useChangeDuty() {
  const client = useQueryClient();
  const { queryKey } = queryOf(getOwnDuty, {});
  return useMutation({
    mutationFn: async (job: string | null): Promise<OwnDuty> =>
      job === null ? await api.call(endDuty) : await api.call(beginDuty, { body: { job } }),
    onSuccess: (own) => client.setQueryData(queryKey, own),
    onError: async () => await client.invalidateQueries({ queryKey }),
  });
}
