import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button, Select, SegmentedControl } from "@mantine/core";
import { IconBellOff, IconChecks } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { useSelection } from "#ui/records.hooks.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { FloatingBar, RowCheck, SelectionBar } from "#ui/selectionBar.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { bulkOf } from "./bulk.ts";
import { Entry } from "./entry.tsx";
import { type ListFilter, useMarkRead, useNotifications, usePreferencesOfKinds, useRefresh } from "./notifications.queries.ts";
import { PreferencesSection } from "./preferences.tsx";
import { labelOf, textsOf } from "./texts.ts";
import classes from "./notifications.module.css";

const route = getRouteApi("/notifications");

export default function NotificationsPage() {
  const { t } = useText();
  return (
    <ScrollArea className={classes["page"]} label={t("notifications.name")}>
      <div className={classes["columns"]}>
        <List />
        <PreferencesSection />
      </div>
    </ScrollArea>
  );
}

function filterOf(search: { only?: string; kind?: string }): ListFilter {
  return { ...(search.only === "unread" ? { only: "unread" } : {}), ...(search.kind === undefined ? {} : { kind: search.kind }) };
}

function List() {
  const { t } = useText();
  const navigate = useNavigate();
  const filter = filterOf(route.useSearch() as { only?: string; kind?: string });
  const { query, items, last } = useNotifications(filter);
  const read = useMarkRead();
  const { announcement, announce } = useAnnouncement();
  const onSuccess = () => announce(t("notifications.marked"));
  const newest = items[0]?.id;
  const all = () => {
    if (newest !== undefined) read.mutate({ upTo: newest }, { onSuccess });
  };
  const order = items.map(({ id }) => id);
  const selection = useSelection(JSON.stringify(filter), order, false);
  const refresh = useRefresh();
  useShortcuts([{ keys: "R", label: "notifications.readAll", group: "page", run: all }]);

  return (
    <section className={classes["main"]}>
      <div className={classes["head"]}>
        <h1>{t("notifications.name")}</h1>
        <Link className={classes["quiet"] ?? ""} to="/notifications/lookups">
          {t("notifications.lookups")}
        </Link>
      </div>
      <Filters filter={filter} onAll={all} empty={items.length === 0} />
      {query.isPending && <Bars widths={["70%", "55%", "60%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {read.isError && <ProblemNote error={read.error} />}
      <ActionList label={t("notifications.name")} announcement={announcement}>
        {query.isSuccess && items.length === 0 && (
          <EmptyState icon={IconBellOff} title={t("notifications.none.title")} text={t("notifications.none.text")} />
        )}
        <ul className={classes["list"]}>
          {items.map((item) => (
            <Entry
              key={item.id}
              item={item}
              onOpen={() => {
                if (item.readAt === null) read.mutate({ ids: [item.id] });
                if (item.link !== null) void navigate({ to: item.link });
              }}
              onRead={() => read.mutate({ ids: [item.id] }, { onSuccess })}
              check={<RowCheck id={item.id} name={textsOf(t, item).title} order={order} selection={selection} />}
            />
          ))}
        </ul>
      </ActionList>
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("notifications.older")}
        </Button>
      )}
      <FloatingBar shown={selection.any}>
        <SelectionBar
          bulk={bulkOf(t)}
          rows={items}
          selection={selection}
          total={last && !last.totalCapped ? last.total : null}
          onChanged={refresh}
        />
      </FloatingBar>
    </section>
  );
}

function Filters({ filter, onAll, empty }: { filter: ListFilter; onAll: () => void; empty: boolean }) {
  const { t } = useText();
  const navigate = useNavigate();
  const kinds = usePreferencesOfKinds().data?.kinds ?? [];
  const change = (next: ListFilter) => void navigate({ to: "/notifications", search: { ...next }, replace: true });
  const { kind, only } = filter;
  return (
    <div className={classes["filters"]}>
      <SegmentedControl
        size="sm"
        aria-label={t("notifications.show")}
        value={only ?? "all"}
        onChange={(value) =>
          change({ ...(value === "unread" ? { only: "unread" } : {}), ...(kind === undefined ? {} : { kind }) })
        }
        data={[
          { value: "all", label: t("notifications.every") },
          { value: "unread", label: t("notifications.unreadOnly") },
        ]}
      />
      <Select
        aria-label={t("notifications.kind")}
        placeholder={t("notifications.anyKind")}
        data={kinds.map((one) => ({ value: one.kind, label: labelOf(t, one.kind) }))}
        value={kind ?? null}
        onChange={(value) => change({ ...(only === undefined ? {} : { only }), ...(value === null ? {} : { kind: value }) })}
        clearable
        clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
      />
      <Button
        variant="default"
        leftSection={<IconChecks size={15} aria-hidden />}
        disabled={empty}
        aria-keyshortcuts="Shift+R"
        onClick={onAll}
      >
        {t("notifications.readAll")}
      </Button>
    </div>
  );
}
