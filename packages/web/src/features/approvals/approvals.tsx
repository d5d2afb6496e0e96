import { getRouteApi, Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { Button, SegmentedControl } from "@mantine/core";
import { IconChecklist } from "@tabler/icons-react";
import { approvalLists } from "@rollcall/server/contract/approvals";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { PersonMarks } from "#ui/personMarks.tsx";
import { ScrollArea } from "#ui/scroll.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Split } from "#ui/split.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { type Approval, listOf, useApprovals } from "./approvals.queries.ts";
import { kindText } from "./texts.ts";
import { AllDelegations, Delegations } from "./delegations.tsx";
import classes from "./approvals.module.css";

const route = getRouteApi("/approvals");

export default function ApprovalsPage() {
  const { t } = useText();
  const { id } = useParams({ strict: false }) as { id?: string };
  const list = (
    <ScrollArea className={classes["page"]} label={t("web.places.approvals")}>
      <div className={classes["inner"]}>
        <Requests opened={id === undefined ? null : Number(id)} />
        <Delegations />
        <AllDelegations />
      </div>
    </ScrollArea>
  );
  return <Split list={list} detail={id === undefined ? null : <Outlet />} />;
}

function Requests({ opened }: { opened: number | null }) {
  const { t } = useText();
  const navigate = useNavigate();
  const search = route.useSearch() as { list?: string };
  const list = listOf(search);
  const { query, items } = useApprovals(list);
  return (
    <section>
      <h1>{t("web.places.approvals")}</h1>
      <SegmentedControl
        size="sm"
        aria-label={t("approvals.panel.which")}
        value={list}
        onChange={(value) => void navigate({ to: "/approvals", search: { list: value }, replace: true })}
        data={approvalLists.map((value) => ({ value, label: t(`approvals.panel.lists.${value}`) }))}
      />
      {query.isPending && <Bars widths={["70%", "55%", "60%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isSuccess && items.length === 0 && (
        <EmptyState
          icon={IconChecklist}
          title={t(`approvals.panel.none.${list}.title`)}
          text={t(`approvals.panel.none.${list}.text`)}
        />
      )}
      <ul className={classes["list"]}>
        {items.map((item) => (
          <li key={item.id} data-opened={item.id === opened || undefined}>
            <Entry item={item} search={search} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("approvals.panel.older")}
        </Button>
      )}
    </section>
  );
}

function Entry({ item, search }: { item: Approval; search: { list?: string } }) {
  const { t } = useText();
  const { id, kind, params, state, step, steps, requester, requesterId, createdAt, onBehalf } = item;
  const { job } = useActiveIdentity().character;
  const nameOf = useNamer();
  return (
    <Link to="/approvals/$id" params={{ id: String(id) }} search={search} className={classes["entry"] ?? ""}>
      <strong>{kindText(t, kind, "title", params)}</strong>
      <span className={classes["quiet"]}>
        <span data-state={state}>{t(`approvals.panel.states.${state}`)}</span>
        {state === "open" && steps > 1 && <> · {t("approvals.panel.stepOf", { step, steps })}</>}
        {requester !== null && (
          <> · {requesterId === null ? requester : nameOf({ id: requesterId, name: requester }, job.name)}</>
        )}
        {requesterId !== null && (
          <>
            {" "}
            <PersonMarks citizenId={requesterId} job={job.name} />
          </>
        )}{" "}
        · <TimeAgo instant={createdAt} />
        {onBehalf !== null && <> · {t("approvals.panel.onBehalf", { name: onBehalf })}</>}
      </span>
    </Link>
  );
}
