/** Lets other work of the event loop (timers, sockets) run. It sends itself a message, so it needs no timer and no clock. */
export async function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    // Not `once`, which only the ports of Node have. Node's types lack the methods that all ports have.
    (port1 as { onmessage?: () => void }).onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
