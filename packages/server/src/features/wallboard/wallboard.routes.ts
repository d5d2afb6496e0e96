import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { createLink, listLinks, readWallboard, revokeLink, wallboardTopic } from "./wallboard.contract.ts";
import { changedJobs } from "./wallboard.policy.ts";
import type { WallboardService } from "./wallboard.service.ts";

export function wallboardRoutes(service: WallboardService): Binding[] {
  return [
    bind(readWallboard, async (call) => await service.read(call.link())),
    bind(listLinks, async (call) => await service.list(call)),
    bind(createLink, async (call, { body }) => await service.create(call, body.name)),
    bind(revokeLink, async (call, { params }) => await service.revoke(call, params.id)),
  ];
}

export function wallboardTopics(): TopicBinding[] {
  return [
    {
      topic: wallboardTopic,
      authorize: async () => null,
      authorizeLink: async ({ subject }) => ({
        class: subject,
        view: (data) => ((data as readonly string[]).includes(subject) ? { changed: true } : null),
      }),
      project(event) {
        const jobs = changedJobs(event);
        return jobs === null ? [] : [{ key: null, data: jobs }];
      },
    },
  ];
}
