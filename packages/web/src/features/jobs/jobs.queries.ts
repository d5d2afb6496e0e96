import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getProperties, jobTopic, putProperties } from "@rollcall/server/contract/jobs";
import { useWorkedJob } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";

export type Loaded = OutputOf<typeof getProperties>;
export type Properties = Loaded["properties"];

/** The properties of the own job, or of the one that job admin is on in; live. */
export function useProperties() {
  const job = useWorkedJob();
  const query = useQuery({ ...queryOf(getProperties, { params: { job } }), retry: false });
  useFollow(jobTopic, job);
  return { job, query };
}

/** How forms of the properties read and save them. */
export const propertyCalls = (job: string) => ({
  async save(properties: Properties, version: number) {
    await api.call(putProperties, { params: { job }, body: { version, properties } });
  },
  async read() {
    const { version, properties } = await api.call(getProperties, { params: { job } });
    return { version, values: properties };
  },
});
