import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onSignedOut } from "./api/client";
import { newQueryClient } from "./api/queries";
import { cspNonce } from "./lib/nonce";
import { applyTheme } from "./lib/theme";
import { newRouter } from "./router";
import { TooltipProvider } from "./ui/tooltip";
import "./styles/index.css";

applyTheme();
// Dialogs lock scrolling through a style element, which the page's policy allows with its nonce alone.
setNonce(cspNonce());

const client = newQueryClient();
const router = newRouter(client);
onSignedOut(() => {
  if (router.state.location.pathname !== "/sign-in") void router.navigate({ to: "/sign-in", search: { next: router.state.location.href } });
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <TooltipProvider delayDuration={400}>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
