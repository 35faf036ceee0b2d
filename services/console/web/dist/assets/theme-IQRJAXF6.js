"use strict";(()=>{try{let t=localStorage.getItem("catwalk.theme");(t==="light"||t==="contrast")&&(document.documentElement.dataset.theme=t)}catch{}})();
