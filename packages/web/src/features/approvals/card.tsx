import { useQuery } from "@tanstack/react-query";
import { approvalsTopic, listApprovals } from "@rollcall/server/contract/approvals";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { CardLines, HomeCard, mostLines } from "#ui/homeCard.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { kindText } from "./texts.ts";

/** The requests that wait for the viewer, the oldest first; nothing while none does. */
export default function ApprovalsCard() {
  const { t } = useText();
  const { items = [], total = 0 } =
    useQuery(queryOf(listApprovals, { query: { list: "waiting", first: "oldest", limit: mostLines } })).data ?? {};
  useFollow(approvalsTopic);
  if (total === 0) return null;
  return (
    <HomeCard
      title={t("web.places.approvals")}
      to="/approvals"
      action={t("web.places.approvalsLook")}
      sentence={t("web.places.approvalsWaiting", { count: total })}
    >
      <CardLines
        lines={items.map(({ id, kind, params, requester, createdAt }) => ({
          key: id,
          line: (
            <>
              <span>{kindText(t, kind, "title", params)}</span>
              {requester !== null && <span>{requester}</span>}
              <TimeAgo instant={createdAt} />
            </>
          ),
        }))}
      />
    </HomeCard>
  );
}
