// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the snippets are code as text
import type { Probe } from "../recorder/probes.ts";

const probe = (name: string, code: string): Probe => ({ name, code });

/** Further snippets: what a recorder of values must not change. */
export const moreProbes: readonly Probe[] = [
  probe(
    "getters run once",
    "let n=0;const o={get a(){n++;return {b:2}}};out(o.a.b,o?.a?.b,n);const {a:{b}}=o;out(b,n)",
  ),
  probe(
    "setters and accessors",
    "const o={v:1,get x(){return this.v},set x(y){this.v=y*2}};o.x=4;o.x+=1;o.x++;out(o.x,o.v,Object.getOwnPropertyDescriptor(o,'x').get.name)",
  ),
  probe(
    "names of methods and values",
    "const k='dyn';const o={m(){},async am(){},*g(){},f:()=>1,'a-b':function(){},1:()=>{},[k]:()=>{},c:class{}};out(o.m.name,o.am.name,o.g.name,o.f.name,o['a-b'].name,o[1].name,o.dyn.name,o.c.name,Object.keys(o))",
  ),
  probe(
    "super in object methods",
    "const p={hi(){return 'p'}};const o={__proto__:p,hi(){return super.hi()+'o'}};out(o.hi(),Object.getPrototypeOf(o)===p)",
  ),
  probe(
    "private names",
    "class A{#x=1;static #n=0;#m(y){return this.#x+y}get #g(){return this.#x*2}inc(){this.#x++;this.#x+=2;A.#n++;return [this.#x,this.#m(1),this.#g,#x in this,A.#n,this?.#x]}}out(new A().inc())",
  ),
  probe(
    "fields and statics",
    "class B{a=1;b=this.a+1;f=()=>this.b;static s=B.name;static{this.t=this.s+'!';let q=2;this.u=q+1}['c'+1]=5}const b=new B();out(b.a,b.b,b.f(),B.s,B.t,B.u,b.c1,b.f.name)",
  ),
  probe(
    "inheritance",
    "class A{constructor(x){this.x=x}get y(){return this.x}static make(v){return new this(v)}m(){return 'A'+this.x}}class B extends A{constructor(...a){super(...a);this.z=a.length}m(){return super.m()+super.y}}class C extends B{}const c=C.make(7);out(c.m(),c.z,c instanceof A,c.constructor.name,B.length,new.target===undefined)",
  ),
  probe(
    "errors of subclasses",
    "class E extends Error{constructor(m,c){super(m,{cause:c});this.name='E'}}try{throw new E('boom',3)}catch(e){out(e.message,e.cause,e.name,e instanceof E,String(e))}",
  ),
  probe(
    "generators",
    "function*g(n){let r=0;for(let i=0;i<n;i++){const got=yield i;if(got)r+=got}return r}const it=g(3);out(it.next(),it.next(5),it.next(6),it.next(),[...g(2)],Array.from(g(2),x=>x*2));function*d(){const r=yield* g(1);yield r}out([...d()]);const [p,q]=g(9);out(p,q)",
  ),
  probe(
    "generator return and throw",
    "function*g(){try{yield 1;yield 2}catch(e){yield 'c'+e}finally{out('fin')}}let a=g();a.next();out(a.throw('x'),a.next());let b=g();b.next();out(b.return(4))",
  ),
  probe(
    "iterators are closed",
    "const it={[Symbol.iterator](){let i=0;return{next(){return{value:i++,done:i>5}},return(){out('closed');return{}}}}};for(const x of it){if(x===2)break;out(x)}const [f]=it;out(f)",
  ),
  probe(
    "async functions",
    "const f=async(x)=>{const y=await x;return y+1};out(await0());async function await0(){return 1}return (async()=>{out(await f(Promise.resolve(2)),await Promise.all([f(1),f(2)]));try{await (async()=>{throw new Error('no')})()}catch(e){out(e.message)}for await(const z of [f(5),6])out(z);const r=await Promise.allSettled([Promise.reject(1),2]);out(r)})()",
  ),
  probe(
    "order of microtasks",
    "const l=[];const p=Promise.resolve();return (async()=>{const a=(async()=>{l.push('a1');await p;l.push('a2');await 0;l.push('a3')})();const b=p.then(()=>l.push('t1')).then(()=>l.push('t2')).finally(()=>l.push('t3'));await new Promise(r=>setTimeout(r,0));await a;await b;out(l)})()",
  ),
  probe(
    "async generators",
    "async function*g(){yield 1;yield Promise.resolve(2);return 3}return (async()=>{const l=[];for await(const x of g())l.push(x);out(l);const i=g();out(await i.next(),await i.return(9))})()",
  ),
  probe(
    "optional calls keep this",
    "const o={v:3,f(){return this.v},n:null};out(o.f?.(),o?.f(),o.g?.(),o.n?.x.y.z,o.n?.(),o?.['f']?.(),(o?.f)());let c=0;o.n?.[c++];out(c);out(delete o?.v,o.v)",
  ),
  probe(
    "tagged templates",
    "const t=(s,...v)=>[s.raw.join('|'),v,Object.isFrozen(s)];const seen=[];const same=()=>((s)=>s)`a${1}b`;out(t`x${1}\\n${'y'}z`,same()===same());const o={t(){return this===o}};out(o.t`q`)",
  ),
  probe(
    "template conversions",
    "let n=0;const o={toString(){n++;return 's'},valueOf(){return 9}};out(`${o}${o}-${[1,[2]]}`,n,o+'');try{`${Symbol('q')}`}catch(e){out(e.name)}",
  ),
  probe(
    "labels",
    "outer:for(let i=0;i<3;i++){for(let j=0;j<3;j++){if(j===1)continue outer;if(i===2)break outer;out(i,j)}}blk:{if(true)break blk;out('no')}a:b:for(const x of [1,2]){continue a}l2:while(true){do{break l2}while(true)}out('end')",
  ),
  probe(
    "switch",
    "function f(x){switch(x){case 1:return'one';case g():{let q=2;return'g'+q}default:out('d');case 3:out('fall');break;case 4:return'four'}return'end'}function g(){out('g');return 7}out(f(1),f(7),f(3),f(4),f(9))",
  ),
  probe(
    "try and finally",
    "function f(){try{return out('t')}finally{out('f')}}f();function g(){for(const x of [1,2,3]){try{if(x===2)continue;if(x===3)break}finally{out('fin',x)}}}g();function h(){try{throw 1}catch{return 2}finally{out('h')}}out(h());try{null.x}catch({name,message}){out(name,message)}",
  ),
  probe(
    "closures of loops",
    "const fs=[];for(let i=0;i<3;i++)fs.push(()=>i++);out(fs.map(f=>f()),fs.map(f=>f()));var gs=[];for(var k in {a:1,b:2})gs.push(()=>k);out(gs.map(g=>g()));for(const x of [1,2]){const x=5;out(x)}",
  ),
  probe(
    "hoisting",
    "out(typeof h,typeof v);function h(){}var v=1;out(v);{function inner(){return 1}out(inner())}try{tdz;let tdz=1}catch(e){out(e.name)}try{let q=q+1}catch(e){out(e.message)}",
  ),
  probe(
    "shadowing",
    "let x=1;{let x=2;{var y=x}x++;out(x)}out(x,y);const f=(x)=>{x=x+1;{const x='in';out(x)}return x};out(f(4));(function x(){out(typeof x)})()",
  ),
  probe(
    "constants cannot be written",
    "const c=1;try{c=2}catch(e){out(e.message)}try{c++}catch(e){out(e.message)}out(c)",
  ),
  probe(
    "numbers",
    "let a=5;a+=2;a-=1;a*=3;a/=2;a%=7;a**=2;a<<=1;a>>=1;a>>>=0;a&=15;a|=16;a^=1;out(a,-a,+'3',~a,!a,typeof a,void 0,a++ + ++a,a-- - --a);let b=5n;b++;b*=2n;out(b,typeof b,-b);let s='a';s+=1;out(s);let u='3';out(u++,u)",
  ),
  probe(
    "logic",
    "let n=0;const t=()=>(n++,true),f=()=>(n++,0);out(t()&&f(),f()||t(),null??f(),f()??t(),t()?f()?1:2:3,n);let a=null,b=1,c=0;a??=t();b&&=f();c||=5;out(a,b,c,n);const o={x:0,y:null};o.x||=4;o.y??=5;o.x&&=6;o.z??=()=>{};out(o.x,o.y,o.z.name)",
  ),
  probe(
    "spread",
    "const f=(...a)=>a.length;out(f(...[1,2],...'abc',...new Set([1])),[...'xy',,3].length,{...{a:1,get b(){return 2}},...null,...'hi',c:3},Math.max(...[1,5,2]))",
  ),
  probe(
    "natives with callbacks",
    "out([3,1,2].sort((a,b)=>a-b),[1,2,3].reduce((a,x)=>a+x),[1,2].reduceRight((a,x)=>a+x,''),[1,2,3].filter(x=>x>1).map((x,i)=>x*i),'a-b'.replace(/(-)/,(m,g)=>g+'!'),[[1],[2]].flatMap(x=>x),Object.entries({a:1}).map(([k,v])=>k+v),[1,2,3].findLast(x=>x<3),Object.groupBy?'g':'n')",
  ),
  probe(
    "collections",
    "const m=new Map([['a',1]]);m.set('b',2).delete('a');const s=new Set([1,1,2]);s.add(3);const w=new WeakMap();const k={};w.set(k,1);out([...m],[...s],w.get(k),m.size,s.has(2),[...m.keys()]);m.forEach((v,q)=>out(v,q));for(const [q,v] of m)out(q,v)",
  ),
  probe(
    "dates and typed arrays",
    "const d=new Date(0);d.setUTCFullYear(2001);out(d.toISOString(),d.getTime());const t=new Uint8Array(4);t[1]=300;t.set([7],3);out(t,t.subarray(1).length,new DataView(t.buffer).getUint8(3))",
  ),
  probe(
    "proxies",
    "const log=[];const p=new Proxy({a:1},{get(t,k,r){log.push(String(k));return Reflect.get(t,k,r)},set(t,k,v){log.push('='+k);t[k]=v;return true},has(t,k){log.push('?'+k);return k in t},deleteProperty(t,k){log.push('-'+k);return delete t[k]}});p.b=p.a+1;'q' in p;delete p.a;const {b,...r}=p;out(log,b,r,{...p})",
  ),
  probe(
    "call, apply and bind",
    "function f(a,b){return [this&&this.v,a,b]}const o={v:1};out(f.call(o,1,2),f.apply(o,[3,4]),f.bind(o,5)(6),Reflect.apply(f,o,[7,8]),Reflect.construct(function(){this.q=1},[]).q,f.bind(o).name,Math.max.apply(null,[1,2]))",
  ),
  probe(
    "arguments object",
    "function f(){return [...arguments].map(x=>x+1).concat(arguments.length)}function g(a,b){b=9;return f.apply(null,arguments)}out(f(1,2),g(1,2,3));const h=()=>typeof arguments;out(typeof h)",
  ),
  probe(
    "rest and defaults",
    "function f({a=1,b:{c}={c:2}}={},[d,...e]=[3,4,5],g=()=>a+c,...h){return [a,c,d,e,g(),h]}out(f(),f({a:5},[1],undefined,8,9),f.length)",
  ),
  probe(
    "symbols and computed keys",
    "const s=Symbol('q');const o={[s]:1,['a'+1]:2,3:4,'x y':5};out(o[s],o.a1,o[3],o['x y'],Object.getOwnPropertySymbols(o).length);class K{[s](){return 6}static [`t${1}`]=7}out(new K()[s](),K.t1)",
  ),
  probe(
    "iteration protocol of results",
    "class L{constructor(){this.i=[1,2]}*[Symbol.iterator](){yield* this.i}get [Symbol.toStringTag](){return'L'}}out([...new L()],String(new L()),Math.max(...new L()))",
  ),
  probe(
    "exceptions of operators",
    "try{1n+1}catch(e){out(e.message)}try{({}) instanceof 5}catch(e){out(e.name)}try{'a' in 'b'}catch(e){out(e.name)}try{new (()=>{})}catch(e){out(e.name)}try{const [a]=null}catch(e){out(e.name)}try{for(const x of 5);}catch(e){out(e.name)}try{let u;u()}catch(e){out(e.message)}try{const o={};o.a.b.c}catch(e){out(e.message)}",
  ),
  probe(
    "conversions happen once",
    "let n=0;const k={toString(){n++;return'key'}};const o={key:1};o[k]++;o[k]+=1;out(o.key,n);const v={valueOf(){n++;return 2}};out(v*v,v+1,n)",
  ),
  probe(
    "recursion",
    "const fib=n=>n<2?n:fib(n-1)+fib(n-2);out(fib(12));function ack(m,n){if(m===0)return n+1;if(n===0)return ack(m-1,1);return ack(m-1,ack(m,n-1))}out(ack(2,3))",
  ),
  probe(
    "regular expressions",
    "const r=/(\\d)(?<x>[a-z])/g;let m;const l=[];while((m=r.exec('1a2b'))!==null){l.push(m[1],m.groups.x,r.lastIndex)}out(l,'1a'.match(/a/).index,[...'a1b2'.matchAll(/\\d/g)].map(x=>x[0]),'x'.search(/x/),/y/.test('y'))",
  ),
  probe(
    "json and clones",
    "const o=JSON.parse('{\"a\":[1,{\"b\":2}]}',(k,v)=>typeof v==='number'?v+1:v);o.a.push(structuredClone(o.a));out(JSON.stringify(o,null,1),JSON.stringify({toJSON(){return 5}}))",
  ),
  probe(
    "comma, void and sequences",
    "let i=0;for(i=0,j=2;i<j;i++,j--);var j;out((1,2,i),void i);if(i,j)out('t');const x=(i++,i);out(x)",
  ),
  probe(
    "statements without blocks",
    "let a=0;if(a)a=1;else if(!a)a=2;else a=3;for(;a<5;)a++;while(a<7)a++;do a++;while(a<9);for(const q of [1])a+=q;for(const q in {z:1})a+=q;out(a)",
  ),
  probe(
    "empty bodies and strings",
    "for(let i=0;i<2;i++);while(false);;if(0);else;'not a directive';{}out(`a\nb${\n1}c`)",
  ),
  probe(
    "thrown values",
    "try{throw undefined}catch(e){out(e)}try{throw 'text'}catch(e){out(e)}try{throw null}catch(e){out(e)}const e1=new Error('a');try{try{throw e1}catch(e){e.more=1;throw e}}catch(e){out(e===e1,e.more)}",
  ),
  probe(
    "functions as objects",
    "function f(){return f.count=(f.count||0)+1}f();f();out(f.count,f.prototype.constructor===f,Object.keys(f));const g=()=>{};out('prototype' in g,'caller' in {} )",
  ),
  probe(
    "async this and arguments",
    "const o={v:1,async m(x){const q=await x;return [this.v,q,arguments.length]},a:async function(){return await (async()=>this.v)()}};return (async()=>{out(await o.m(2),await o.a())})()",
  ),
  probe(
    "thenables",
    "const t={then(r){r(5)}};return (async()=>{out(await t);out(await Promise.resolve(t));out(await new Promise((r,j)=>j(new Error('x'))).catch(e=>e.message));out(await Promise.race([new Promise(()=>{}),1]))})()",
  ),
  probe("delete", "const o={a:1,b:2};out(delete o.a,'a' in o,delete o['b'],Object.keys(o),delete [1][0])"),
  probe(
    "chained assignment",
    "let a,b;const o={};a=b=o.x=o['y']=3;out(a,b,o);o.n=o={m:1};out(typeof o.n)".replace(
      "o.n=o={m:1};out(typeof o.n)",
      "let p={};const q=p;p.n=p={m:1};out(q.n===p,p.n)",
    ),
  ),
  probe(
    "getter on a class and static",
    "class T{static get z(){return 'z'}static #c=0;static next(){return ++T.#c}get v(){return this._v??='lazy'}}out(T.z,T.next(),T.next(),new T().v)",
  ),
  probe(
    "in and instanceof",
    "class A{static [Symbol.hasInstance](x){return x===5}}out(5 instanceof A,'length' in [],0 in [1],!(1 in [1]))",
  ),
  probe(
    "accessor pairs in literals",
    "const o={get a(){return 1},b:2,set a(v){},get c(){return 3}};out(Object.keys(o),Object.getOwnPropertyDescriptor(o,'a').set.name,Object.getOwnPropertyDescriptor(o,'c').set)",
  ),
];
