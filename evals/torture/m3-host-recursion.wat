(module
  ;; The host runs on the same stack: its own frames must have room wherever the guest calls.
  (import "teacher-assist:plugin/clock@0.2.0" "now" (func $now (result i64)))
  (memory (export "memory") 2)
  (global $top (mut i32) (i32.const 65536))
  (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (func $deeper (param i64) (result i64)
    (i64.add (call $now) (call $deeper (i64.add (call $now) (local.get 0)))))
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32)
    (drop (call $deeper (i64.const 0))) (i32.const 1024)))
