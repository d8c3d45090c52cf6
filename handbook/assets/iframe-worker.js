// A page that was opened from a folder may not start a worker, and search runs in one. There it runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.inside = new Promise((resolve) => {
        this.frame.onload = () => {
          const inside = this.frame.contentWindow;
          inside.postMessage = (data) => {
            const event = new MessageEvent("message", { data: structuredClone(data) });
            this.onmessage?.(event);
            this.dispatchEvent(event);
          };
          const script = inside.document.createElement("script");
          script.src = new URL(address, document.baseURI).href;
          script.onload = () => resolve(inside);
          inside.document.body.append(script);
        };
      });
      this.frame.srcdoc = "<!doctype html><body></body>";
      document.body.append(this.frame);
    }

    postMessage(data) {
      const copy = structuredClone(data); // as a worker would get it
      this.inside.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data: copy })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
