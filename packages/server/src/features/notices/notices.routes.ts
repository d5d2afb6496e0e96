import { bind, type Binding } from "#core/feature.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { decide, type Entry, subjectOf } from "#features/accesslists/accesslists.api.ts";
import {
  createNotice,
  getNotice,
  listNotices,
  noticeLevels,
  noticesChanged,
  noticesTopic,
  putNotice,
  removeNotice,
  restoreNotice,
} from "./notices.contract.ts";
import type { NoticesService } from "./notices.service.ts";

export function noticesRoutes(service: NoticesService): Binding[] {
  return [
    bind(listNotices, async (call, { query }) => await service.list(call.viewer(), query)),
    bind(getNotice, async (call, { params }) => await service.get(call.viewer(), params.id)),
    bind(createNotice, async (call, { body }) => await service.create(call, body)),
    bind(putNotice, async (call, { params, body }) => await service.put(call, params.id, body)),
    bind(removeNotice, async (call, { params }) => await service.remove(call, params.id)),
    bind(restoreNotice, async (call, { params }) => await service.restore(call, params.id)),
  ];
}

type Changed = PayloadOf<typeof noticesChanged>;

const entryOf = ([subject, job, minGrade, id, level]: Changed["lists"][number]["entries"][number]): Entry => ({
  subject: subject as Entry["subject"],
  job,
  minGrade,
  id,
  level,
  required: 0,
});

export function noticesTopics(): TopicBinding[] {
  return [
    {
      topic: noticesTopic,
      async authorize(viewer) {
        const who = subjectOf(viewer);
        return {
          class: `${who.job} ${who.grade} ${who.characterId} ${who.jobAdmin}`,
          view(data) {
            const { id, removed, lists, creatorId, creatorJob } = data as Changed;
            const concerned = lists.some(({ entries, public: isPublic }) => {
              const rules = { creatorId, creatorJob, public: isPublic };
              return decide(entries.map(entryOf), rules, who, noticeLevels.length).level > 0;
            });
            return concerned ? { id, removed } : null;
          },
        };
      },
      project: ({ type, payload }) => (type === noticesChanged.id ? [{ key: null, data: payload }] : []),
    },
  ];
}
