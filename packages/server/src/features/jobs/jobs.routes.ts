import type { PayloadOf } from "#core/contract/index.ts";
import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { getProperties, jobsChanged, jobsTopic, jobTopic, listJobs, putLogo, putProperties } from "./jobs.contract.ts";
import type { LogosService } from "./jobs.logo.service.ts";
import type { PropertiesService } from "./jobs.properties.service.ts";
import type { JobsService } from "./jobs.service.ts";

export function jobsRoutes(service: JobsService, properties: PropertiesService, logos: LogosService): Binding[] {
  return [
    bind(listJobs, async (call) => await service.list(call.viewer(), logos)),
    bind(getProperties, async (call, { params }) => await properties.get(call.viewer(), params.job)),
    bind(putLogo, async (call, { params, body }) => await logos.put(call, params.job, body.file)),
    bind(putProperties, async (call, { params, body }) => await properties.put(call, params.job, body)),
  ];
}

export function jobsTopics(): TopicBinding[] {
  return [
    {
      topic: jobTopic,
      authorize: async (viewer, key) => (viewer.job === key ? { class: "", view: (data) => data } : null),
      project: ({ type, payload }) =>
        type === jobsChanged.id
          ? (payload as PayloadOf<typeof jobsChanged>).names.map((job) => ({ key: job, data: { job } }))
          : [],
    },
    {
      topic: jobsTopic,
      authorize: async () => ({ class: "", view: (data) => data }),
      project: ({ type, payload }) =>
        type === jobsChanged.id ? [{ key: null, data: { names: (payload as PayloadOf<typeof jobsChanged>).names } }] : [],
    },
  ];
}
