import { useState } from "react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFileOff } from "@tabler/icons-react";
import { filesUsage, listFiles } from "@rollcall/server/contract/files";
import type { OutputOf } from "@rollcall/server/contract/core";
import { useText } from "#core/i18n.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { PanelPage } from "#ui/panel.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { FileEntry } from "./entry.tsx";
import { megabytes, sizeOf } from "./sizes.ts";
import classes from "./files.module.css";

type Usage = OutputOf<typeof filesUsage>;

const TYPING = 250;

/** All uploaded files with their type, owner and purpose. */
export default function FilesPage() {
  const { t } = useText();
  const [text, setText] = useState("");
  const [namespace, setNamespace] = useState("");
  const [q] = useDebouncedValue(text.trim(), TYPING);
  const usage = useQuery({ ...queryOf(filesUsage, {}), staleTime: 0 });
  const filters = { ...(q === "" ? {} : { q }), ...(namespace === "" ? {} : { namespace }) };
  const query = useInfiniteQuery({ ...pagesOf(listFiles, filters, 50), staleTime: 0, placeholderData: keepPreviousData });
  const files = query.data?.pages.flatMap((page) => page.items) ?? [];
  const last = query.data?.pages.at(-1);

  return (
    <PanelPage
      title={t("web.places.files")}
      lead={
        usage.data
          ? t(`files.panel.lead.${usage.data.storage}`, { limit: megabytes(usage.data.maxUploadBytes) })
          : t("web.places.filesHint")
      }
    >
      {usage.isError && <ProblemNote error={usage.error} onRetry={() => void usage.refetch()} retrying={usage.isFetching} />}
      {usage.data && <Namespaces usage={usage.data} />}
      <div className={classes["filters"]} role="search">
        <TextInput
          label={t("files.panel.search")}
          maxLength={64}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          label={t("files.panel.namespace")}
          value={namespace}
          onChange={(event) => setNamespace(event.currentTarget.value)}
          data={[
            { value: "", label: t("files.panel.everything") },
            ...(usage.data?.namespaces ?? []).map((one) => ({ value: one.namespace, label: namespaceName(t, one.namespace) })),
          ]}
        />
      </div>
      {query.isPending && <Bars widths={["80%", "70%", "75%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isSuccess && files.length === 0 && (
        <EmptyState icon={IconFileOff} title={t("files.panel.none.title")} text={t("files.panel.none.text")} />
      )}
      <ul className={classes["files"]} aria-label={t("web.places.files")}>
        {files.map((file) => (
          <FileEntry key={file.id} file={file} />
        ))}
      </ul>
      <div className={classes["buttons"]}>
        {last && files.length > 0 && (
          <span className={classes["quiet"]}>
            {t("files.panel.count", { shown: files.length, total: last.total, capped: last.totalCapped ? "+" : "" })}
          </span>
        )}
        {query.hasNextPage && (
          <Button
            size="compact-sm"
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t("files.panel.more")}
          </Button>
        )}
      </div>
    </PanelPage>
  );
}

const namespaceName = (t: ReturnType<typeof useText>["t"], namespace: string) =>
  t(`files.panel.namespaces.${namespace}`, { defaultValue: namespace });

function Namespaces({ usage }: { usage: Usage }) {
  const { t, language } = useText();
  if (usage.namespaces.length === 0) return null;
  return (
    <ul className={classes["usage"]} aria-label={t("files.panel.usage")}>
      {usage.namespaces.map(({ namespace, files, bytes }) => (
        <li key={namespace}>
          <span className={classes["quiet"]}>{namespaceName(t, namespace)}</span>
          <strong>{sizeOf(bytes, language)}</strong>
          <span className={classes["quiet"]}>{t("files.panel.files", { count: files })}</span>
        </li>
      ))}
    </ul>
  );
}
