import { useRef } from "react";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { type JobLink, linkLimits, mostLinks } from "@rollcall/server/contract/jobs";
import { useText } from "#core/i18n.ts";
import { OwnField } from "#ui/formFields.tsx";
import classes from "./jobs.module.css";

/** The links of the job, in their order. */
export function LinksField() {
  return (
    <OwnField<readonly JobLink[] | undefined> at="links">
      {({ value, set, error }) => <Rows links={value ?? []} set={set} error={error} />}
    </OwnField>
  );
}

interface RowsProps {
  readonly links: readonly JobLink[];
  set(links: readonly JobLink[]): void;
  readonly error: React.ReactNode;
}

function Rows({ links, set, error }: RowsProps) {
  const { t } = useText();
  const list = useRef<HTMLUListElement>(null);
  const change = (at: number, part: Partial<JobLink>) => set(links.map((one, i) => (i === at ? { ...one, ...part } : one)));
  const without = (at: number) => links.filter((_, i) => i !== at);
  const move = (at: number, step: 1 | -1) => {
    const next = without(at);
    next.splice(at + step, 0, links[at]!);
    set(next);
  };
  const add = () => {
    set([...links, { title: "", address: "https://" }]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus());
  };
  return (
    <>
      <ul ref={list} className={classes["linkRows"]}>
        {links.map((link, at) => {
          const named = { title: link.title || String(at + 1) };
          return (
            <li key={at}>
              <TextInput
                aria-label={t("jobs.panel.linkTitle", { number: at + 1 })}
                placeholder={t("jobs.panel.linkTitlePlaceholder")}
                maxLength={linkLimits.title}
                value={link.title}
                onChange={({ currentTarget }) => change(at, { title: currentTarget.value })}
              />
              <TextInput
                aria-label={t("jobs.panel.linkAddress", { number: at + 1 })}
                inputMode="url"
                maxLength={linkLimits.address}
                value={link.address}
                onChange={({ currentTarget }) => change(at, { address: currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                aria-label={t("jobs.panel.linkUp", named)}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                aria-label={t("jobs.panel.linkDown", named)}
                disabled={at === links.length - 1}
                onClick={() => move(at, 1)}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon variant="subtle" aria-label={t("jobs.panel.linkRemove", named)} onClick={() => set(without(at))}>
                <IconTrash size={16} />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      {error !== undefined && error !== null && <p className={classes["error"]}>{error}</p>}
      <Button variant="default" leftSection={<IconPlus size={15} />} disabled={links.length >= mostLinks} onClick={add}>
        {t("jobs.panel.linkAdd")}
      </Button>
    </>
  );
}
