import{a,b,c}from"./part-YC2ZV3IQ.js";import"./part-M4ES3SC3.js";import"./part-JWL2JXX2.js";import"./part-P3YLUBTG.js";export{c as Entries,b as Log,a as mayWrite};
