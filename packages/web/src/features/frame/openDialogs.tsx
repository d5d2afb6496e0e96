import { useEffect } from "react";
import { CatchBoundary } from "@tanstack/react-router";
import { useActiveIdentity } from "#core/abilities.ts";
import { useHolding } from "#core/conditions.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { isOffered, useDeclared } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { showToast } from "#core/toasts.ts";
import { SearchDialog } from "#features/search/search.api.ts";
import { useOfferedActions, useOfferedCommands } from "./commands.ts";
import { closeDialog, fetchSearch, useOpenDialog } from "./dialogs.ts";

interface Closable {
  onClose(): void;
}

const HelpDialog = part<Closable>([], () => import("./help.tsx"));
const AdminDialog = part<Closable>([], () => import("./admin.tsx"));

/** The dialogs of the frame, loaded when first opened. */
export function Dialogs() {
  const { t } = useText();
  const name = useOpenDialog();
  useEffect(() => {
    const ahead = ({ key }: KeyboardEvent) => {
      if (key === "Control" || key === "Meta") fetchSearch();
    };
    addEventListener("keydown", ahead);
    return () => removeEventListener("keydown", ahead);
  }, []);
  return (
    <CatchBoundary
      getResetKey={() => name ?? ""}
      errorComponent={() => null}
      onCatch={(error) => {
        closeDialog();
        showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
      }}
    >
      {name === "search" && <Palette />}
      {name === "help" && <HelpDialog onClose={closeDialog} />}
      {name === "admin" && <AdminDialog onClose={closeDialog} />}
    </CatchBoundary>
  );
}

function Palette() {
  const { navigation, jumps, commands } = useDeclared();
  const identity = useActiveIdentity();
  const pages = navigation.filter((entry) => isOffered(entry, identity));
  const holding = useHolding(jumps.map(({ given }) => given));
  return (
    <SearchDialog
      pages={pages}
      jumps={jumps.filter(({ given }) => given === undefined || holding.has(given))}
      actions={useOfferedActions(jumps)}
      commands={useOfferedCommands(commands)}
      onClose={closeDialog}
    />
  );
}
