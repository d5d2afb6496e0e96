import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  beginDuty,
  type DutyPerson,
  dutyTopic,
  endDuty,
  getOwnDuty,
  listDuty,
  type OwnDuty,
} from "@rollcall/server/contract/duty";
import { byJobAndName } from "@rollcall/server/contract/core";
import { useActiveIdentity } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useLiveList } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";

/** Everybody on duty whom the viewer may see, with live changes; those of the own job first. `fresh`: read again now. */
export function useOnDuty(fresh = false) {
  const { character } = useActiveIdentity();
  return useLiveList<DutyPerson>({
    operation: listDuty,
    topic: dutyTopic,
    filters: {},
    whole: true,
    fresh,
    compare: byJobAndName(character.job.name),
  });
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
