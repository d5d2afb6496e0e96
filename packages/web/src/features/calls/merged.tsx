import { type ReactNode, useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { Section, TimeAgo } from "#ui/small.tsx";
import type { CallDetail } from "./calls.queries.ts";
import { useLinking, useMerging } from "./merging.ts";
import { refOf } from "./ref.ts";
import classes from "./calls.module.css";

export function CallLink({ id }: { readonly id: number }) {
  return (
    <Link to="/calls/$id" params={{ id: String(id) }} className="rc-number">
      {refOf(id)}
    </Link>
  );
}

interface UndoProps {
  readonly call: Pick<CallDetail, "id" | "version">;
  readonly label?: string;
  readonly children: ReactNode;
}

/** Takes a merged call out of the other one at once. */
export function UndoMerge({ call, label, children }: UndoProps) {
  const { undo } = useMerging();
  const [sending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    await undo(call);
    setSending(false);
  };
  return (
    <Button
      variant="default"
      loading={sending}
      {...(label === undefined ? {} : { "aria-label": label })}
      onClick={() => void send()}
    >
      {children}
    </Button>
  );
}

/** The calls that were merged into this one. */
export function MergedCalls({ call: { merged, may } }: { readonly call: Pick<CallDetail, "merged" | "may"> }) {
  const { t } = useText();
  if (merged.length === 0) return null;
  return (
    <Section title={t("calls.merge.parts")} count={merged.length}>
      <ul className={classes["list"]} data-merged>
        {merged.map(({ id, version, message, createdAt }) => (
          <li key={id}>
            <span className={classes["about"]}>
              <CallLink id={id} />
              <span className={classes["text"]}>{message}</span>
            </span>
            <TimeAgo instant={createdAt} />
            {may.includes("merge") && (
              <UndoMerge call={{ id, version }} label={t("calls.merge.takeOutNamed", { ref: refOf(id) })}>
                {t("calls.merge.takeOut")}
              </UndoMerge>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The calls that this one is linked with. */
export function LinkedCalls({ call: { id, links, may } }: { readonly call: Pick<CallDetail, "id" | "links" | "may"> }) {
  const { t } = useText();
  const { unlink } = useLinking();
  if (links.length === 0) return null;
  return (
    <Section title={t("calls.links.title")} count={links.length}>
      <ul className={classes["list"]} data-links>
        {links.map((one) => (
          <li key={one.id}>
            <span className={classes["about"]}>
              <CallLink id={one.id} />
              <span className={classes["text"]}>{one.message}</span>
              <span className={classes["quiet"]}>{t(`calls.states.${one.state}`)}</span>
            </span>
            <TimeAgo instant={one.createdAt} />
            {may.includes("link") && (
              <Button
                variant="default"
                aria-label={t("calls.links.removeNamed", { ref: refOf(one.id) })}
                onClick={() => void unlink(id, one.id)}
              >
                {t("calls.links.remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
