import type { PayloadOf } from "#core/contract/index.ts";
import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { callsPermissions } from "#features/calls/calls.contract.ts";
import { closeWindow, deskChanged, deskTopic, listDispatchers, signOff, signOn } from "./desk.contract.ts";
import type { DeskService } from "./desk.service.ts";

export function deskRoutes(service: DeskService): Binding[] {
  return [
    bind(listDispatchers, async (call) => await service.list(call.viewer())),
    bind(signOn, async (call, { params, body }) => await service.signOn(call, params.window, body.hidden)),
    bind(closeWindow, async (call, { params }) => await service.close(call, params.window)),
    bind(signOff, async (call, { params }) => await service.signOff(call, params.window)),
  ];
}

export function deskTopics(): TopicBinding[] {
  return [
    {
      topic: deskTopic,
      // Which other jobs a viewer sees changes with every call; that any of them changed says nothing about whom.
      authorize: async ({ job, rights }) => {
        const seesCalls = rights.has(callsPermissions.view.id);
        return {
          class: `${job} ${seesCalls}`,
          view: (data) => (seesCalls || (data as PayloadOf<typeof deskChanged>).jobs.includes(job) ? { changed: true } : null),
        };
      },
      project: ({ type, payload }) => (type === deskChanged.id ? [{ key: null, data: payload }] : []),
    },
  ];
}
