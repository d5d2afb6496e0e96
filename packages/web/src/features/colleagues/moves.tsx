import { useState } from "react";
import { Button } from "@mantine/core";
import { IconArrowsUpDown, IconUserMinus } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { Section } from "#ui/small.tsx";
import { type Colleague, useMoves } from "./colleagues.queries.ts";
import type { MoveDialogProps } from "./moveDialog.tsx";
import { MoveList } from "./moveList.tsx";
import classes from "./colleagues.module.css";

const MoveDialog = part<MoveDialogProps>(["colleagues"], () => import("./moveDialog.tsx"));

/** Another grade or the end in the game, and what became of it; nothing where it is off or the viewer may not. */
export function Moves({ colleague }: { readonly colleague: Colleague }) {
  const { t } = useText();
  const { data } = useMoves(colleague.id);
  const [doing, setDoing] = useState<"grade" | "dismiss" | null>(null);
  if (!data?.on || (data.may.length === 0 && data.items.length === 0)) return null;
  const { may, grades, items, connected } = data;
  const isBlocked = !connected || items.some(({ state }) => state === "open" || state === "delivered");
  const choice = (kind: "grade" | "dismiss", Icon: typeof IconUserMinus) => (
    <Button
      variant="default"
      leftSection={<Icon size={15} aria-hidden />}
      aria-haspopup="dialog"
      disabled={isBlocked}
      onClick={() => setDoing(kind)}
    >
      {t(`colleagues.moves.${kind}`)}
    </Button>
  );
  return (
    <Section title={t("colleagues.moves.title")} screenOnly>
      {!connected && <p className={classes["quiet"]}>{t("colleagues.moves.offline")}</p>}
      <div className={classes["actions"]}>
        {may.includes("promote") && choice("grade", IconArrowsUpDown)}
        {may.includes("dismiss") && choice("dismiss", IconUserMinus)}
      </div>
      {items.length > 0 && <MoveList items={items} grades={grades} />}
      {doing !== null && <MoveDialog colleague={colleague} grades={grades} doing={doing} onClose={() => setDoing(null)} />}
    </Section>
  );
}
